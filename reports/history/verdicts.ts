import { type Verdict, verdictSchema } from '../../fixtures/record.ts'

/** A letter for each verdict; a blank for clauses that do not apply, were not selected, or that the run did not know. */
export const LETTERS: Record<Verdict, string> = {
  error: 'e',
  violates: 'v',
  blocked: 'b',
  'not exercised': 'n',
  conforms: 'c',
  'not applicable': ' ',
}
const VERDICTS = new Map(
  verdictSchema.options.flatMap(verdict =>
    verdict === 'not applicable' ? [] : [[LETTERS[verdict], verdict] as const],
  ),
)

/** The verdicts of a run: of clauses that are applicable and were selected. */
export class Verdicts {
  readonly letters: string
  readonly places: ReadonlyMap<string, number>

  constructor(letters: string, places: ReadonlyMap<string, number>) {
    this.letters = letters
    this.places = places
  }

  get(clause: string): Verdict | undefined {
    return this.at(this.places.get(clause) ?? -1)
  }

  /** Returns that of a clause by its place among all of the history. */
  at(place: number): Verdict | undefined {
    return VERDICTS.get(this.letters[place] ?? '')
  }
}
