import { expect, test } from 'vitest'
import { learnArguments, learnEnvironment, withoutSecrets } from '../../fixtures/secrets/known.ts'

test('credentials in the variables of outputs are known, and names of headers are not taken for any', () => {
  learnEnvironment({
    K6_PROMETHEUS_RW_HTTP_HEADERS: 'X-Scope-OrgID:of-scope-0123456,Authorization:Bearer of-bearer-0123456',
    K6_OTEL_HEADERS: 'x-key=of-otel-0123456',
    K6_INFLUXDB_PASSWORD: 'of-influx-0123456',
    K6_INFLUXDB_ADDR: 'http://kit:of-address-0123456@127.0.0.1:8086',
  })
  const said = 'of-scope-0123456 of-bearer-0123456 of-otel-0123456 of-influx-0123456 of-address-0123456'
  expect(withoutSecrets(said)).not.toContain('0123456')
  expect(withoutSecrets('X-Scope-OrgID Authorization x-key 127.0.0.1:8086')).not.toContain('[credential]')
})

test.each([
  ['http://kit:of-raw@0123456@127.0.0.1:8086', 'of-raw@0123456'],
  ['http://kit:of-slash/0123456@127.0.0.1:8086', 'of-slash/0123456'],
  ['https://of-token-0123456@127.0.0.1:8086', 'of-token-0123456'],
])('the login of %s is known, however it is written', (address, secret) => {
  learnEnvironment({ K6_INFLUXDB_ADDR: address })
  expect(withoutSecrets(`"${secret}"`)).not.toContain('0123456')
})

test('logins of addresses among arguments are known', () => {
  learnArguments(['load', '--k6-out', 'influxdb=http://kit:of-argument-0123456@127.0.0.1:8086/db'])
  expect(
    withoutSecrets('There is no influxdb=http://kit:of-argument-0123456@127.0.0.1:8086/db'),
  ).not.toContain('of-argument')
})
