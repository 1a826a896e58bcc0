/** What a field in a frame of the payment company says of what is typed there; the text itself never reaches this page. */
export interface FieldState {
  readonly complete: boolean
  /** In the company's own words; undefined while nothing is wrong. */
  readonly error: string | undefined
}

export const EMPTY_FIELD: FieldState = { complete: false, error: undefined }

/** The state of a field from its change event. */
export const toFieldState = ({ complete, error }: { complete: boolean; error?: { message?: string } | undefined }): FieldState => ({
  complete,
  error: error === undefined ? undefined : (error.message ?? 'This is not valid.'),
})

/** Several fields as one: complete when all are, wrong as the first wrong one is. */
export const combineFieldStates = (states: readonly FieldState[]): FieldState => ({
  complete: states.every(({ complete }) => complete),
  error: states.find(({ error }) => error !== undefined)?.error,
})

/** May a form with this field be sent? Not while it is incomplete or the field reports an error (payments.md §5, Card entry). */
export const canSubmit = ({ complete, error }: FieldState): boolean => complete && error === undefined
