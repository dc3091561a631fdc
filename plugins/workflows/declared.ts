import type { About, AboutWorkflow, Workflows } from './contract.ts'

// What the contract gets line by line, as soon as something here records, asks or exports it.
declare module 'agent-platform' {
  interface Services {
    workflows: Workflows
  }
  interface Facts {
    'workflows.forked': AboutWorkflow & { readonly from: string }
    'workflows.webhook_minted': { readonly id: string }
    'workflows.webhook_disabled': { readonly id: string }
    'workflows.started': About
    /** It goes on when somebody decides, or when something from outside comes. */
    'workflows.waiting': About
    'workflows.resumed': About
    'workflows.completed': About
    'workflows.failed': About & { readonly code: string }
    'workflows.cancelled': About
  }
}
