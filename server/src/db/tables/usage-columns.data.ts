/**
 * The plain texts of a usage record, which are stored and shown as they came: their field in the API and in files of imports, their column
 * in the database, their heading in the download, and the heading before which that stands. What reads or writes them takes this list.
 */
export const USAGE_TEXTS = [
  { field: 'serviceItem2', importField: 'serviceItem2', column: 'service_item2', label: 'Service Item 2', before: 'Record Type' },
  { field: 'serviceItem3', importField: 'serviceItem3', column: 'service_item3', label: 'Service Item 3', before: 'Record Type' },
  { field: 'siteName', importField: 'site', column: 'site', label: 'Site', before: 'Date' },
] as const

export type UsageText = (typeof USAGE_TEXTS)[number]
