/** The oldest browsers that the portal works in, by the names of browser-compat-data. */
export const BROWSER_FLOOR = { chrome: '111', edge: '111', firefox: '115', safari: '16.4', safari_ios: '16.4' } as const

/** The same as the targets of a build. */
export const BUILD_TARGET = Object.entries(BROWSER_FLOOR).map(([name, version]) => `${name.replace('safari_ios', 'ios')}${version}`)
