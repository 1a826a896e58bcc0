import { NUMBER_LOCALES, type NumberLocale, type Profile, type ProfileChoices } from '@counterfoil/contract/user/profile'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../api/call-api.ts'
import { sampleOf, todayUtc } from '../../format/format.ts'
import { browserLocale } from '../../format/locale.ts'
import { Button } from '../../ui/button/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { isEmail } from '../../ui/form/is-email.ts'
import { Select } from '../../ui/form/select.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { BROWSERS, localeOptions } from './number-locales.ts'
import { changeProfileMutation } from './profile.data.ts'
import styles from './profile.module.css'

type ChosenLocale = NumberLocale | typeof BROWSERS

const BAD_EMAIL = 'Enter an email address, as in name@example.com, or leave it empty.'

/** How numbers are written, and where receipts go. What was typed stays until the server has it. */
export const ProfileForm = ({ profile }: { profile: Profile }) => {
  const [locale, setLocale] = useState<ChosenLocale>(NUMBER_LOCALES.find((one) => one === profile.numberLocale) ?? BROWSERS)
  const [email, setEmail] = useState(profile.receiptEmail ?? '')
  const [isMistyped, setMistyped] = useState(false)
  const emailField = useRef<HTMLInputElement>(null)
  const save = useMutation(changeProfileMutation())
  const isRefused = save.error instanceof ApiError && save.error.errors.some(({ path }) => path === 'body.receiptEmail')

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (save.isPending) return
    const isWrong = email.trim() !== '' && !isEmail(email)
    setMistyped(isWrong)
    if (isWrong) return emailField.current?.focus()
    save.mutate(toChoices(locale, email), { onError: () => emailField.current?.focus() })
  }
  const editThen = (set: () => void): void => {
    set()
    setMistyped(false)
    if (!save.isPending) save.reset()
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {save.isSuccess && (
        <Banner tone="good" onClose={save.reset}>
          Your profile is saved
        </Banner>
      )}
      <div>
        <Select
          label="Numbers and dates"
          options={localeOptions()}
          value={locale}
          onChange={(id) => editThen(() => setLocale(NUMBER_LOCALES.find((one) => one === id) ?? BROWSERS))}
        />
        <p className={styles.note}>{`As in ${sampleOf(locale === BROWSERS ? browserLocale() : locale, todayUtc())}`}</p>
      </div>
      <TextField
        ref={emailField}
        label="Email for receipts"
        name="receipt-email"
        type="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        onChange={(typed) => editThen(() => setEmail(typed))}
        hint="Filled in for you wherever you pay; you can change it there."
        error={isMistyped || isRefused ? BAD_EMAIL : undefined}
      />
      {save.isError && !isRefused && <ErrorText kind="box">{messageOf(save.error)}</ErrorText>}
      <div>
        <Button type="submit" busy={save.isPending} busyText="Saving…">
          Save
        </Button>
      </div>
    </form>
  )
}

/** The request's body: null for the browser's locale and for an empty email. */
const toChoices = (locale: ChosenLocale, email: string): ProfileChoices => ({
  numberLocale: locale === BROWSERS ? null : locale,
  receiptEmail: email.trim() === '' ? null : email.trim(),
})
