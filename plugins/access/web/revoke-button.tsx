import { api, ConfirmButton, useAction } from 'agent-platform/console'

export function RevokeButton({ id, name }: { id: string; name: string }) {
  const revoking = useAction({
    run: () => api.delete('/v1/auth/api-keys/{id}', { params: { path: { id } } }),
    changes: [['api-keys']],
    done: 'The key is revoked'
  })
  return (
    <ConfirmButton
      size="compact-sm"
      title="Revoke this key?"
      warning={`Programs that use ${name} are refused from now on, and so is what was made with it. If you signed in with it, you are signed out. This cannot be undone.`}
      onClick={() => revoking.mutate()}
      loading={revoking.isPending}
      aria-label={`Revoke ${name}`}
    >
      Revoke
    </ConfirmButton>
  )
}
