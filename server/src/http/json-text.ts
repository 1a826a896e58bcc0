import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'

declare const endpoint: unique symbol

/** The JSON body of an endpoint's response as text, written as its schema's serializer would. */
export class JsonText<E extends Endpoint> {
  declare readonly [endpoint]: E
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
