import { useNavigate } from 'react-router'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useAccount } from '../account/account.tsx'
import { BurgerMenu } from './burger-menu.tsx'
import { CustomerSwitch } from './customer-switch.tsx'
import styles from './header.module.css'
import { Logo } from './logo.tsx'
import { SectionNav } from './section-nav.tsx'
import { menuSections } from '../navigation/sections.tsx'
import { useSettingsEntries } from './settings-entries.ts'
import { useIsNarrow } from './use-narrow.ts'

/** In narrower windows one section more is worth more than the word Settings. */
const CROWDED = 'screen and (max-width: 899.98px)'

/** The bar at the top: logo, sections, customer switch, name and Settings; in a narrow window all but the logo behind a menu button. */
export const Header = () => {
  const { user, settings, branding } = useAccount()
  const isNarrow = useIsNarrow()
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Logo brandId={user.brandId} companyName={settings.companyName} hasDarkLogo={branding.hasDarkLogo} />
        {isNarrow ? <BurgerMenu /> : <WideMenu />}
      </div>
    </header>
  )
}

/** The header's sections, name, customer switch and Settings, side by side. */
const WideMenu = () => {
  const account = useAccount()
  const entries = useSettingsEntries()
  const navigate = useNavigate()
  const sections = menuSections(account)
  const isCrowded = useMediaQuery(CROWDED)
  return (
    <>
      <SectionNav key={sections.length} sections={sections} />
      <div className={styles.who}>
        <span className={styles.name} title={account.user.displayName}>
          {account.user.displayName}
        </span>
        <CustomerSwitch customers={account.customers} customer={account.customer} />
        <Menu label="Settings" entries={entries} onSelect={(path) => void navigate(path)} icon={isCrowded ? 'settings' : undefined} />
      </div>
    </>
  )
}
