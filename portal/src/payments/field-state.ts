/** What a field in a frame of the payment company says of what is typed there; the text itself never reaches this page. */
export interface WidgetState {
  readonly complete: boolean
  /** In the company's own words; undefined while nothing is wrong. */
  readonly error: string | undefined
}

export const UNTOUCHED: WidgetState = { complete: false, error: undefined }

/** The state of a field from its change event. */
export const widgetState = ({ complete, error }: { complete: boolean; error?: { message?: string } | undefined }): WidgetState => ({
  complete,
  error: error === undefined ? undefined : (error.message ?? 'This is not valid.'),
})

/** Several fields as one: complete when all are, wrong as the first wrong one is. */
export const together = (states: readonly WidgetState[]): WidgetState => ({
  complete: states.every(({ complete }) => complete),
  error: states.find(({ error }) => error !== undefined)?.error,
})

/** May a form with this field be sent? Not while it is incomplete or the field reports an error (payments.md §5, Card entry). */
export const canSend = ({ complete, error }: WidgetState): boolean => complete && error === undefined
