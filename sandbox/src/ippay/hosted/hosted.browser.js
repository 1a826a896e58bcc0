/** Sends a return page at once, and a form once. */
const form = document.querySelector('form')

if (form?.classList.contains('return')) form.submit()

form?.addEventListener('submit', () => {
  // A disabled button is not sent, and the form is already on its way.
  setTimeout(() => form.querySelector('button').setAttribute('disabled', ''), 0)
})
