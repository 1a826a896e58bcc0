import { useMediaQuery } from '../../ui/use-media-query.ts'

/** Is the window so narrow that the header becomes a burger menu? */
export const useIsNarrow = (): boolean => useMediaQuery('(max-width: 767.98px)')
