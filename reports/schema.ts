import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { recordSchema } from '../fixtures/ground/record.ts'

/** The schema of records that readers accept: this version and compatible later ones, whose new fields are ignored. */
export const readableRecordSchema = recordSchema
  .extend({
    schemaVersion: z
      .string()
      .regex(/^1\.\d+$/)
      .meta({ description: 'Semantic version of this format: a reader of 1.x can read every later 1.y.' }),
  })
  .meta(recordSchema.meta()!)

/** Returns the published JSON Schema of a record. */
export function recordJsonSchema(): object {
  // As input, so that objects stay open for fields of later versions.
  return z.toJSONSchema(readableRecordSchema, { target: 'draft-2020-12', io: 'input' })
}

/** The address of the published schema. */
export const schemaFile = new URL('./record.schema.json', import.meta.url)

// Also works if a starter script has imported this file.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(schemaFile, `${JSON.stringify(recordJsonSchema(), null, 2)}\n`)
