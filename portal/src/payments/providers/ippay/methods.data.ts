import { invoicePayment } from '@counterfoil/contract/invoice-payment'
import { ippayMethods } from '@counterfoil/contract/providers/ippay'
import { callApi, type DownloadedFile, fetchFile } from '../../../api/call-api.ts'

/** Fetches the customer's saved cards and bank accounts of IPpay from our server, in one list. */
export const fetchMethods = (signal: AbortSignal) => callApi(ippayMethods.ippayCards, { signal })

/** Has our server remove a saved card or bank account from IPpay. */
export const removeMethod = (id: string) => callApi(ippayMethods.removeIPpayCard, { params: { id } })

/** Has our server make a saved card or bank account the default. */
export const setDefault = (id: string) => callApi(ippayMethods.makeIPpayDefault, { body: { id } })

export type EntryType = 'CC' | 'ACH'

/**
 * Fetches the HTML document with the frame in which a card or a bank account to store is entered. @throws ApiError when the request fails
 */
export const fetchTemplate = (type: EntryType, signal: AbortSignal): Promise<DownloadedFile> =>
  fetchFile(ippayMethods.ippayCardTemplate, { params: { type }, signal })

/** Fetches the HTML document with the frame in which the card that pays an intent is entered. @throws ApiError when the request fails */
export const fetchBulkTemplate = (sessionId: string, shownTotal: string, signal: AbortSignal): Promise<DownloadedFile> =>
  fetchFile(ippayMethods.ippayBulkTemplate, { params: { sessionId }, query: { shownTotal }, signal })

/**
 * Fetches the HTML document with the frame in which the card that pays a payment link's invoice is entered.
 * @throws ApiError when the request fails
 */
export const fetchPayTemplate = (token: string, shownTotal: string, signal: AbortSignal): Promise<DownloadedFile> =>
  fetchFile(invoicePayment.template, { params: { token }, query: { shownTotal }, signal })
