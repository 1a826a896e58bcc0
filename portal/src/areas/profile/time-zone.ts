/** A sentence that says that days and times are in UTC, and which time zone the browser has. */
export const timeZoneText = ({ timeZone } = Intl.DateTimeFormat().resolvedOptions()): string =>
  timeZone === 'UTC' ? 'Days and times are in UTC, as in your browser.' : `Days and times are in UTC. Your browser’s is ${timeZone}.`
