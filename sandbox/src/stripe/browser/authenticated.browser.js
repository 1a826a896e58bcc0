/** Tells the page around this frame that the customer has finished the authentication. */
parent.postMessage({ kind: 'authenticated' }, '*')
