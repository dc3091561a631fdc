// Of what the API server tells, what is looked at. It is not believed: an object that has not our labels is not ours.

export const INSTALLATION = 'agent-platform/installation'
export const COMPUTER = 'agent-platform/computer'

export interface Metadata {
  readonly name?: string
  readonly uid?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
}
export interface Listed {
  readonly metadata?: { readonly continue?: string }
  readonly items?: readonly { readonly metadata?: Metadata }[]
}
interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: object
  readonly terminated?: { readonly reason?: string; readonly message?: string; readonly exitCode?: number }
}
export interface Pod {
  readonly metadata?: Metadata
  readonly spec?: PodSpec
  readonly status?: {
    readonly phase?: string
    readonly reason?: string
    readonly message?: string
    readonly conditions?: readonly {
      readonly type?: string
      readonly status?: string
      readonly reason?: string
      readonly message?: string
    }[]
    readonly containerStatuses?: readonly { readonly state?: ContainerState }[]
  }
}
export interface PodSpec {
  readonly containers?: readonly {
    readonly name?: string
    readonly image?: string
    readonly command?: readonly string[]
    readonly securityContext?: {
      readonly privileged?: boolean
      readonly allowPrivilegeEscalation?: boolean
      readonly readOnlyRootFilesystem?: boolean
      readonly runAsUser?: number
      readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] }
    }
  }[]
  readonly initContainers?: readonly object[]
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
  readonly automountServiceAccountToken?: boolean
  readonly volumes?: readonly { readonly name?: string; readonly [kind: string]: unknown }[]
}
export interface Claim {
  readonly metadata?: Metadata
  readonly spec?: { readonly resources?: { readonly requests?: { readonly storage?: string } } }
}
export interface Policy {
  readonly metadata?: Metadata
  readonly spec?: {
    readonly podSelector?: Selector
    readonly policyTypes?: readonly string[]
    readonly ingress?: readonly object[]
    readonly egress?: readonly object[]
  }
}
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

/** One of that installation, and of that computer where one is named. */
export function isOurs({ labels, uid }: Metadata = {}, own: string, number?: number): boolean {
  return (
    typeof uid === 'string' &&
    labels?.[INSTALLATION] === own &&
    (number === undefined || labels[COMPUTER] === String(number))
  )
}
