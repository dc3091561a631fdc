// `npm ci` alone makes the console ready. Where the packages of development are left out, it is built elsewhere: the image
// copies it, and the console says so where it is missing.
try {
  const { build } = await import('vite')
  await build({ configFile: `${import.meta.dirname}/vite.config.ts`, logLevel: 'warn' })
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
}
