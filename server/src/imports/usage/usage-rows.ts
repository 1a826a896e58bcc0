import type { LoadRow } from '../../db/copy-in.ts'
import { type FileNotes, type RecordLine, recordLines } from '../record-lines.ts'
import type { RecordShape } from '../record-shape.rules.ts'
import { REQUIRED_USAGE_FIELDS, USAGE_DECIMALS, USAGE_FIELDS } from './usage-fields.rules.ts'
import { parseUsageRow } from './usage.rules.ts'

/** A record of the file, or the reason why it is not one. */
export type UsageLine = RecordLine<LoadRow>

const USAGE: RecordShape<LoadRow> = {
  what: 'usage',
  fields: USAGE_FIELDS,
  required: REQUIRED_USAGE_FIELDS,
  decimals: USAGE_DECIMALS,
  read: parseUsageRow,
}

/**
 * Reads the records of a file of usage (CSV or JSON lines), in batches, bad ones with their reasons.
 * @throws OperatorError when the header of a CSV file is not usable
 */
export const usageRows = (source: AsyncIterable<Uint8Array>, notes: FileNotes): AsyncGenerator<readonly UsageLine[]> =>
  recordLines(source, USAGE, notes)
