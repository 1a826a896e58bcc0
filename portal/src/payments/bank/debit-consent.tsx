/** The sentence that says what the holder of a bank account agrees to by adding it. */
export const DebitConsent = ({ companyName }: { readonly companyName: string }) => (
  <p>
    By adding this account you authorize {companyName} to debit it for the payments that you make here or have allowed, and confirm that you
    may give this authorization.
  </p>
)
