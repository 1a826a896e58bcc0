import { Page } from '../../shell/page.tsx'
import { Tile } from '../../ui/tile.tsx'
import { PasswordForm } from './password-form.tsx'
import styles from './settings.module.css'

/** `/settings`: change the password. Open to anyone signed in. */
export const SettingsPage = () => (
  <Page title="Change Password">
    <div className={styles.column}>
      <Tile title="A new password for your sign-in">
        <PasswordForm />
      </Tile>
    </div>
  </Page>
)
