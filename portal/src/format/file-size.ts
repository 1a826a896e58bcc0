import { formatNumber } from './format.ts'

const SIZE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const
const BYTES_PER_UNIT = 1_024

/** A file size such as "1.5 MB", in units of 1,024. */
export const formatFileSize = (bytes: number): string => {
  const sizes = SIZE_UNITS.map((unit, power) => ({ unit, size: bytes / BYTES_PER_UNIT ** power }))
  // 1,023.99 KB would be rounded to 1,024 KB, which is 1 MB.
  const fit = sizes.find(({ size }) => Math.round(size * 10) / 10 < BYTES_PER_UNIT) ?? sizes.at(-1)
  return fit === undefined ? '' : `${formatNumber(fit.size, 1)} ${fit.unit}`
}
