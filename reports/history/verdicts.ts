import { type Verdict, verdictSchema } from '../../fixtures/ground/record.ts'

/** The letter of each verdict. Blank: not applicable, not selected, or unknown to the run. */
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

/** The verdicts of a run, for applicable and selected clauses. */
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

  /** Returns the verdict of a clause by its position in the history. */
  at(place: number): Verdict | undefined {
    return VERDICTS.get(this.letters[place] ?? '')
  }
}
