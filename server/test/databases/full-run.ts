/** True in `npm run test:full`: all server tests run on both databases, and what `npm test` runs in part runs at full size. */
export const isFull = process.env['FULL'] !== undefined
