/** The state of a field inside one of Stripe's frames. Its text never reaches this page. */
export interface FieldState {
  readonly complete: boolean
  /** Stripe's error text; undefined while there is no error. */
  readonly error: string | undefined
}

export const EMPTY_FIELD: FieldState = { complete: false, error: undefined }

/** The state of a field, from its change event. */
export const toFieldState = ({ complete, error }: { complete: boolean; error?: { message?: string } | undefined }): FieldState => ({
  complete,
  error: error === undefined ? undefined : (error.message ?? 'This is not valid.'),
})

/** The state of several fields together: complete when all are, with the first error. */
export const combineFieldStates = (states: readonly FieldState[]): FieldState => ({
  complete: states.every(({ complete }) => complete),
  error: states.find(({ error }) => error !== undefined)?.error,
})

/** Can a form with this field be submitted? Only when the field is complete and has no error. */
export const canSubmit = ({ complete, error }: FieldState): boolean => complete && error === undefined
