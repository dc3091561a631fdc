/** What a provider requires of the prompts that it accepts. */
export interface PromptRules {
  /**
   * Turns of the user and the assistant alternate, beginning and ending with the user's. Results of tools belong to the
   * assistant's turn: before a message of the user, the assistant answers.
   */
  readonly alternates: boolean
  /** System text is accepted in one message only. */
  readonly oneSystem: boolean
  /** Whether a call may have that ID. */
  isCallId(id: string): boolean
  /** A text without a letter is accepted if it has data of the provider. */
  readonly acceptsSignedBlanks: boolean
  /** A message of the assistant may end with a thought. */
  readonly mayEndWithThought: boolean
}

/** Servers of chat completions that nothing is known of: their chat templates are the strictest of all. */
const unknown: PromptRules = {
  alternates: true,
  oneSystem: true,
  isCallId: (id) => id !== '',
  acceptsSignedBlanks: false,
  mayEndWithThought: true
}

const openai: PromptRules = {
  ...unknown,
  alternates: false,
  oneSystem: false,
  isCallId: (id) => id.length > 0 && id.length <= 40
}

const anthropic: PromptRules = {
  ...unknown,
  oneSystem: false,
  isCallId: (id) => /^[\w-]{1,256}$/.test(id),
  mayEndWithThought: false
}

const google: PromptRules = { ...unknown, oneSystem: false, acceptsSignedBlanks: true }

/** By the first part of the name of a model's provider. */
const rules: Readonly<Record<string, PromptRules>> = {
  openai,
  azure: openai,
  anthropic,
  'google-vertex-anthropic': anthropic,
  google,
  'google-vertex': google,
  vertex: google,
  'amazon-bedrock': { ...anthropic, isCallId: (id) => /^[\w-]{1,64}$/.test(id) },
  mistral: { ...unknown, isCallId: (id) => /^[A-Za-z0-9]{9}$/.test(id) },
  // The development model reads prompts as they are.
  local: { ...unknown, alternates: false, oneSystem: false }
}

export function rulesOf(provider: string): PromptRules {
  const [key = ''] = provider.split('.', 1)
  return Object.hasOwn(rules, key) ? (rules[key] as PromptRules) : unknown
}
