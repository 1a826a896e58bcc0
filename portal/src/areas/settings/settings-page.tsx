import { Page } from '../../shell/page.tsx'
import { isSuperUser } from '../../api/session.ts'
import { Tile } from '../../ui/layout/tile.tsx'
import { PasswordForm } from './password-form.tsx'
import styles from './settings.module.css'

/** `/settings`: changes the password. Open to every signed-in user. */
export const SettingsPage = () => (
  <Page title="Change Password">
    <div className={styles.column}>
      <Tile title="Password">{isSuperUser() ? <p>A support session cannot change the password.</p> : <PasswordForm />}</Tile>
    </div>
  </Page>
)
