const PATHS = {
  down: 'M4 6l4 4 4-4',
  left: 'M10 3.5L5.5 8l4.5 4.5',
  right: 'M6 3.5L10.5 8 6 12.5',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  descending: 'M8 3v9.5M4 9l4 4 4-4',
  sort: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  close: 'M4 4l8 8M12 4l-8 8',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  download: 'M8 2.5v7.5M4.8 7L8 10.2 11.2 7M3 13h10',
  open: 'M9.5 2.8h3.7v3.7M13 3L7.6 8.4M11.5 9.3v3.2a.8.8 0 01-.8.8H3.6a.8.8 0 01-.8-.8V5.4a.8.8 0 01.8-.8h3.2',
  check: 'M3.5 8.5l3 3 6-7',
  card: 'M1.8 4h12.4v8.4H1.8zM1.8 6.8h12.4M4 10h3',
  bank: 'M2 6.4L8 3l6 3.4zM4 6.8v5.4M8 6.8v5.4M12 6.8v5.4M2 12.8h12',
  edit: 'M3 13l.6-2.9 7-7a1.4 1.4 0 012 0l.3.3a1.4 1.4 0 010 2l-7 7zM9.3 4.4l2.3 2.3',
  plus: 'M8 3.5v9M3.5 8h9',
  settings: 'M2 4.8h7M13 4.8h1M11 6.6a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6zM14 11.2H7M3 11.2H2M5 13a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6z',
  search: 'M7.2 11.4a4.2 4.2 0 100-8.4 4.2 4.2 0 000 8.4zM10.4 10.4L13.5 13.5',
} as const

export type IconName = keyof typeof PATHS

/** A small icon in the colour of the text. Decoration only: the meaning is in the text beside it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} strokeLinecap="round" strokeLinejoin="round" />
  </svg>
)
