import { useMediaQuery } from '../../ui/use-media-query.ts'

/** Is the window narrower than 768 px? The header then becomes a burger menu. */
export const useIsNarrow = (): boolean => useMediaQuery('(max-width: 767.98px)')
