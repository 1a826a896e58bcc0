import { mutationOptions } from '@tanstack/react-query'
import { downloadArchive } from './archive-download.ts'

/** Downloads and saves the PDFs of many invoices as one file. A failure is shown beside the menu. */
export const invoiceArchiveMutation = () =>
  mutationOptions({
    mutationKey: ['invoices', 'archive'],
    mutationFn: downloadArchive,
    meta: { failure: 'inline' },
  })
