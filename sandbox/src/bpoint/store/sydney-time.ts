const PARTS = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Australia/Sydney',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'longOffset',
})

/** The time in Sydney as BPOINT writes it: `2026-09-23T10:15:30.123+10:00`. */
export const sydneyTime = (ms: number): string => {
  const parts = Object.fromEntries(PARTS.formatToParts(ms).map(({ type, value }) => [type, value]))
  const { year, month, day, hour, minute, second, timeZoneName = '' } = parts
  const fraction = String(ms % 1_000).padStart(3, '0')
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${timeZoneName.replace('GMT', '')}`
}

/** The day in Sydney: `2026-09-23`. */
export const sydneyDay = (ms: number): string => sydneyTime(ms).slice(0, 10)
