// What the contract gets line by line, as soon as something here records, asks or exports it.
declare module 'agent-platform' {
  interface Facts {
    'workflows.webhook_minted': { readonly id: string }
    'workflows.webhook_disabled': { readonly id: string }
  }
}

export type {}
