import type { ProviderPage } from '../entry.ts'
import type { MonerisContext } from './moneris-client.ts'

/** The production hosts, where real money moves. */
export const LIVE_HOSTS = /^(mpg1\.moneris\.io|www3\.moneris\.com)$/

/** Moneris' own card fields are served from this host, wherever its gateway is. */
const LIVE_FIELDS_ORIGIN = 'https://www3.moneris.com'

/** A page that pays needs the frame of Moneris' own fields alone. */
export const PAGE: ProviderPage = { liveOrigins: { script: [], frame: [LIVE_FIELDS_ORIGIN], connect: [] } }

/**
 * The address of a frame with Moneris' own fields for number, expiry and security code; nothing is asked of Moneris. The profile in the
 * settings belongs to the page's address.
 */
export const createCardForm = async ({ settings, baseUrl }: Pick<MonerisContext, 'settings' | 'baseUrl'>) => {
  const url = new URL(`${LIVE_HOSTS.test(new URL(baseUrl).host) ? LIVE_FIELDS_ORIGIN : baseUrl}/HPPtoken/index.php`)
  const options = { id: settings.profileId, pmmsg: 'true', enable_exp: '1', enable_cvd: '1', display_labels: '1' }
  for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value)
  return { fields: { frameUrl: url.href }, entryReference: null }
}
