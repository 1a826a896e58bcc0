const FORMAT = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Toronto',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** The day and the time of day in Toronto, as receipts write them. */
export const gatewayTime = (ms: number): { readonly TransDate: string; readonly TransTime: string } => {
  const parts = Object.fromEntries(FORMAT.formatToParts(ms).map(({ type, value }) => [type, value]))
  return {
    TransDate: `${parts['year']}-${parts['month']}-${parts['day']}`,
    TransTime: `${parts['hour']}:${parts['minute']}:${parts['second']}`,
  }
}

/** The month as cards write it, YYMM, `later` months after that of `ms` in Toronto. */
export const cardMonth = (ms: number, later = 0): string => {
  const [year = 0, month = 0] = gatewayTime(ms).TransDate.split('-').map(Number)
  const months = year * 12 + month - 1 + later
  return `${String(Math.floor(months / 12) % 100).padStart(2, '0')}${String((months % 12) + 1).padStart(2, '0')}`
}
