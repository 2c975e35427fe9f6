import { expect, test } from 'vitest'
import { indented } from './json-text.ts'

test('indentation grows with the length of a text, and not with its depth', () => {
  const levels = 50_000
  const text = `${'['.repeat(levels)}1${']'.repeat(levels)}`
  expect(indented(text).length).toBeLessThan(text.length * 100)
  expect(indented('{"a":[1,{}],"b":2}')).toBe('{\n  "a": [\n    1,\n    {}\n  ],\n  "b": 2\n}')
})
