/** Which time zone days and times are in, and the browser's for comparison. */
export const timeZoneText = ({ timeZone } = Intl.DateTimeFormat().resolvedOptions()): string =>
  timeZone === 'UTC' ? 'Days and times are in UTC, as in your browser.' : `Days and times are in UTC. Your browser’s is ${timeZone}.`
