import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel } from 'agent-platform'
import { invalid, unavailable } from 'agent-platform'
import { createBubblewrap } from '../bubblewrap/bubblewrap.ts'
import { createDocker } from '../docker/docker.ts'
import { createKubernetes } from '../kubernetes/kubernetes.ts'
import type { Provider, Size } from '../provider/provider.ts'
import type { ComputerSettings } from '../settings.ts'
import type { ComputerStore } from '../stores/computers.ts'

/** Of what a list tells about providers. */
const LOOK_EVERY_MS = 60_000
const PATIENCE_MS = 10_000

export type Providers = ReturnType<typeof createProviders>

interface Deps extends Pick<Kernel, 'platform' | 'points'> {
  settings: ComputerSettings
  computerStore: ComputerStore
}

/** What computers can run in here: those of other packs, bubblewrap, Docker and Kubernetes. */
export function createProviders({ platform, points, settings, computerStore }: Deps) {
  const hidden = [platform.dataDir, process.cwd()]
  const folder = join(platform.dataDir, 'computers')
  const silenceMs = settings.silenceSeconds * 1_000
  const { dockerHost: host, dockerPull: pulls } = settings
  const named = (first: string, others: string): [string, ...string[]] => [
    first,
    ...others.split(',').flatMap((name) => name.trim() || [])
  ]
  const own: readonly Provider[] = [
    createBubblewrap({ folder, hidden, silenceMs }),
    createDocker({
      ...{ folder, host, pulls, silenceMs },
      images: named(settings.dockerImage, settings.dockerImages)
    }),
    createKubernetes({
      cluster: settings.kubernetes,
      namespace: settings.kubernetesNamespace,
      images: named(settings.kubernetesImage, settings.kubernetesImages),
      storageClass: settings.kubernetesStorageClass,
      gpu: settings.kubernetesGpu,
      placement: settings.kubernetesPod,
      startMs: settings.kubernetesStartSeconds * 1_000,
      installation: computerStore.takeInstallation,
      silenceMs
    })
  ]
  const all = (): readonly Provider[] => [
    ...own,
    ...points.all('computers.provider').map(({ value }) => value)
  ]
  const looks = new Map<string, { readonly at: number; readonly usable: Promise<boolean> }>()
  /** One that does not answer soon is said not to work; it is looked at no more often for that. */
  async function works({ name, look }: Provider): Promise<boolean> {
    let known = looks.get(name)
    if (!known || performance.now() - known.at > LOOK_EVERY_MS) {
      const usable = look().then(
        (found) => found.usable,
        () => false
      )
      known = { at: performance.now(), usable }
      looks.set(name, known)
    }
    return Promise.race([known.usable, delay(PATIENCE_MS, false, { ref: false })])
  }
  const find = (name: string): Provider | undefined => all().find((it) => it.name === name)

  return {
    find,
    /** Deletes what a computer kept, in each provider that it had: it may have had several. */
    async removeAll(number: number): Promise<void> {
      const done = await Promise.allSettled(all().map((provider) => provider.remove(number)))
      for (const it of done) if (it.status === 'rejected') throw it.reason
    },
    /** Ends what nobody holds any more. A provider that does not work now is asked again. */
    async removeLeft(held: () => Promise<ReadonlySet<number>>): Promise<void> {
      for (const provider of all()) await provider.removeLeft?.(held).catch(() => undefined)
    },
    /** All of them, and whether each works here, as it was found within the last minute: a look may start a computer. */
    list: () =>
      Promise.all(
        all().map(async (provider) => {
          const { name, images = [] } = provider
          return { provider: name, name, configured: await works(provider), models: images, takes: [] }
        })
      ),
    kinds: () => all().map(({ name, images = [] }) => ({ name, images })),

    /** One that works; 503 naming what to install otherwise. */
    async usable(name: string): Promise<Provider> {
      const provider = find(name)
      const code = { code: 'capability_missing' }
      if (!provider) throw unavailable(`No provider of computers is called ${name} here`, code)
      const looked = await provider.look()
      if (looked.usable) return provider
      throw unavailable(`Computers do not work here: ${looked.reason}. To have them, ${looked.install}`, code)
    },

    /** 400 for a size that the provider, this machine or this deployment does not give. */
    check(name: string, { image, ...size }: Size & { readonly image: string | null }): void {
      const provider = find(name)
      if (!provider)
        throw invalid(
          '/provider',
          `/provider must be one of ${all()
            .map((it) => it.name)
            .join(', ')}`
        )
      if (image !== null && !provider.images?.includes(image)) {
        const offers = provider.images
          ? `one of ${provider.images.join(', ')}, which COMPUTERS_${name.toUpperCase()}_IMAGES adds to`
          : `null: ${name} makes computers of this machine's own files. Name a provider that takes images (docker, kubernetes), or install what is needed in the computer`
        throw invalid('/image', `/image must be ${offers}`, 'image_not_offered')
      }
      for (const param of ['vcpu', 'memoryMb', 'storageMb'] as const)
        if (size[param] > settings[param])
          throw invalid(
            `/${param}`,
            `/${param} must not be more than ${settings[param]} here`,
            'size_not_offered'
          )
      const refused = provider.refuses(size)
      if (refused)
        throw invalid(
          `/${refused.param}`,
          `/${refused.param} is not offered: ${refused.reason}`,
          'size_not_offered'
        )
    }
  }
}
