import { join } from 'node:path'
import type { Kernel } from 'agent-platform'
import { invalid, unavailable } from 'agent-platform'
import { createBubblewrap } from '../bubblewrap/bubblewrap.ts'
import { createDocker } from '../docker/docker.ts'
import type { Provider, Size } from '../provider/provider.ts'
import type { ComputerSettings } from '../settings.ts'

export type Providers = ReturnType<typeof createProviders>

/** What computers can run in here: those of other packs, bubblewrap, and Docker. */
export function createProviders({
  platform,
  points,
  settings
}: Pick<Kernel, 'platform' | 'points'> & { settings: ComputerSettings }) {
  const hidden = [platform.dataDir, process.cwd()]
  const folder = join(platform.dataDir, 'computers')
  const silenceMs = settings.silenceSeconds * 1_000
  const { dockerHost: host, dockerImage, dockerImages, dockerPull: pulls } = settings
  const others = dockerImages.split(',').flatMap((name) => name.trim() || [])
  const own: readonly Provider[] = [
    createBubblewrap({ folder, hidden, silenceMs }),
    createDocker({ folder, host, images: [dockerImage, ...others], pulls, silenceMs })
  ]
  const all = (): readonly Provider[] => [
    ...own,
    ...points.all('computers.provider').map(({ value }) => value)
  ]
  const find = (name: string): Provider | undefined => all().find((it) => it.name === name)

  return {
    find,
    /** Ends what nobody holds any more. A provider that does not work now is asked again. */
    async removeLeft(held: () => Promise<ReadonlySet<number>>): Promise<void> {
      for (const provider of all()) await provider.removeLeft?.(held).catch(() => undefined)
    },
    /** All of them, and whether each works here. */
    list: () =>
      Promise.all(
        all().map(async ({ name, images = [], look }) => {
          const { usable } = await look()
          return { provider: name, name, configured: usable, models: images, takes: [] }
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
          ? `one of ${provider.images.join(', ')}, which COMPUTERS_DOCKER_IMAGES adds to`
          : `null: ${name} makes computers of this machine's own files. Name the provider docker, or install what is needed in the computer`
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
