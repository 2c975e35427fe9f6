import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readableRecordSchema, recordJsonSchema, schemaFile } from './schema.ts'
import { exampleRecord } from './testing/example.ts'

test('the published schema is that of the code (npm run schema)', async () => {
  const published: unknown = JSON.parse(await readFile(schemaFile, 'utf8'))
  expect(published).toEqual(recordJsonSchema())
})

test('a record of a later 1.y with more in it is readable, one of 2.0 is not', () => {
  const later = { ...exampleRecord, schemaVersion: '1.7', news: true }
  expect(readableRecordSchema.safeParse(later).success).toBe(true)
  expect(readableRecordSchema.safeParse({ ...later, schemaVersion: '2.0' }).success).toBe(false)
})

test('the published schema accepts fields of later versions', () => {
  expect(JSON.stringify(recordJsonSchema())).not.toContain('"additionalProperties":false')
})
