/**
 * PostgreSQL's text of an instant in ISO 8601: `2026-11-21 10:20:30.123456+00` as `2026-11-21T10:20:30.123Z`. Connections are in UTC; years
 * have four digits.
 */
export const toInstant = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`
