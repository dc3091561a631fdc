// Who may import whom. `test/rules.test.ts` breaks each of these rules once.

/** What runs only in tests and measurements. */
const TESTING = String.raw`\.test\.ts$|^plugins/[^/]+/test/|[/-](testbed|fixture)\.ts$`
/** What runs in a browser: bundled, with types of its own. */
const WEB = '^plugins/[^/]+/web/'
const SQL = '^node_modules/(@types/)?(knex|pg)/'
const FASTIFY = '^node_modules/(fastify|@fastify/[^/]+)/'

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  {
    name: 'kernel-imports-no-pack',
    comment: 'Taking a folder of plugins/ away takes a feature away, and nothing else notices.',
    severity: 'error',
    from: { path: '^(kernel|cli|process)/' },
    to: { path: '^plugins/' }
  },
  {
    name: 'kernel-knows-no-process',
    comment: 'The command line and the process are built on the kernel, which runs in tests without either.',
    severity: 'error',
    from: { path: '^kernel/', pathNot: TESTING },
    to: { path: '^(cli|process)/' }
  },
  {
    name: 'pack-imports-kernel-by-its-contract',
    comment:
      'What a pack may have of the kernel is what `agent-platform` exports, and `agent-platform/archives` for workers.',
    severity: 'error',
    from: { path: '^plugins/', pathNot: [TESTING, WEB] },
    to: {
      path: '^(kernel|cli|process|config|apps-sdk)/',
      pathNot: [
        '^kernel/(contract/pack|untrusted/archives/archives)\\.ts$',
        // What an app may is decided by one code, here and at its author's.
        '^apps-sdk/app/src/(manifest|grants|limits)/'
      ]
    }
  },
  {
    name: 'pack-sees-contracts-of-others',
    comment: 'Of another pack only `contract.ts` is meant for others.',
    severity: 'error',
    from: { path: '^plugins/([^/]+)/', pathNot: WEB },
    to: { path: '^plugins/', pathNot: ['^plugins/$1/', '^plugins/[^/]+/contract\\.ts$'] }
  },
  {
    name: 'pages-have-the-kit-and-the-client',
    comment:
      'A page asks the API like any other client, and looks like the others by what `agent-platform/console` gives.',
    severity: 'error',
    from: { path: '^plugins/([^/]+)/web/', pathNot: '/vite\\.config\\.ts$' },
    to: {
      path: '^(kernel|cli|process|config|plugins|test|apps-sdk)/',
      pathNot: [
        '^plugins/$1/web/',
        '^plugins/console/web/kit\\.ts$',
        '^apps-sdk/client/src/index\\.ts$',
        '^apps-sdk/app/src/host/'
      ]
    }
  },
  {
    name: 'servers-know-no-pages',
    comment: 'They are bundled for browsers, and are not there where the platform runs.',
    severity: 'error',
    from: { path: '^(kernel|cli|process|plugins)/', pathNot: [WEB, TESTING] },
    to: { path: WEB }
  },
  {
    name: 'pack-imports-others-as-types',
    comment: 'Names are the identity: nothing of another pack is there at run time. Write `import type`.',
    severity: 'error',
    from: { path: '^plugins/([^/]+)/' },
    to: {
      path: '^plugins/[^/]+/contract\\.ts$',
      pathNot: '^plugins/$1/',
      dependencyTypesNot: ['type-only']
    }
  },
  {
    name: 'contract-is-types',
    comment: 'A contract that imports at run time would pull its pack into every pack that reads it.',
    severity: 'error',
    from: { path: '^plugins/[^/]+/contract\\.ts$' },
    to: { dependencyTypesNot: ['type-only'] }
  },
  {
    name: 'stores-and-migrations-speak-sql',
    comment: 'Everything else in a pack asks its store.',
    severity: 'error',
    from: {
      path: '^plugins/',
      pathNot: [TESTING, '^plugins/[^/]+/(store\\.ts$|stores/|migrations/)']
    },
    to: { path: SQL }
  },
  {
    name: 'kernel-connects-in-database',
    comment: 'The rest of the kernel is given a knex; it makes none.',
    severity: 'error',
    from: { path: '^kernel/', pathNot: [TESTING, '^kernel/database/'] },
    to: { path: SQL, dependencyTypesNot: ['type-only'] }
  },
  {
    name: 'services-know-no-http',
    comment: 'A service or store is the same for a request, a fact, a step and a run.',
    severity: 'error',
    from: { path: '^plugins/[^/]+/(services?|stores?)(\\.ts$|/)', pathNot: TESTING },
    to: { path: FASTIFY }
  },
  {
    name: 'nothing-flows-back-up',
    comment: 'request → route → service → store: a lower layer knows nothing of a higher one.',
    severity: 'error',
    from: { path: '^plugins/[^/]+/(services?|stores?)(\\.ts$|/)', pathNot: TESTING },
    to: { path: '^plugins/[^/]+/(pack\\.ts$|routes(\\.ts$|/))' }
  },
  {
    name: 'stores-know-no-services',
    comment: 'request → route → service → store: a lower layer knows nothing of a higher one.',
    severity: 'error',
    from: { path: '^plugins/[^/]+/stores?(\\.ts$|/)', pathNot: TESTING },
    to: { path: '^plugins/[^/]+/services?(\\.ts$|/)' }
  },
  {
    name: 'nothing-runs-on-tests',
    comment: 'What serves must not need what only tests have.',
    severity: 'error',
    from: { path: '^(kernel|cli|process|plugins)/', pathNot: TESTING },
    to: { path: ['^test/', TESTING] }
  },
  {
    name: 'nothing-runs-on-dev-dependencies',
    comment: 'They are missing after `npm ci --omit=dev`. Types are gone by then.',
    severity: 'error',
    // What pages need is in their bundle, and `prepare` builds it where it can.
    from: {
      path: '^(kernel|cli|process|plugins)/',
      pathNot: [TESTING, WEB]
    },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' }
  },
  {
    name: 'client-stands-alone',
    comment: 'It is installed without the platform, and runs where there is no Node.',
    severity: 'error',
    from: { path: '^apps-sdk/client/src/' },
    to: { pathNot: ['^apps-sdk/client/src/', '^node_modules/(openapi-fetch|eventsource-parser)/'] }
  },
  {
    name: 'rules-of-apps-stand-alone',
    comment: 'The platform, the command, the test double and the browser run the same code.',
    severity: 'error',
    from: { path: '^apps-sdk/app/src/(manifest|grants|limits)/' },
    to: { pathNot: ['^apps-sdk/app/src/(manifest|grants|limits)/', '^node_modules/typebox/'] }
  },
  {
    name: 'dependencies-are-declared',
    comment: 'A package that another one brings along may go with its next version.',
    severity: 'error',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }
  },
  {
    name: 'imports-resolve',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true }
  },
  {
    name: 'no-cycle',
    comment: 'Neither at run time nor among types.',
    severity: 'error',
    from: {},
    to: { circular: true }
  },
  {
    name: 'no-orphan',
    comment: 'A file that imports nothing and that nothing imports is forgotten.',
    severity: 'error',
    from: {
      orphan: true,
      pathNot: [
        TESTING,
        '/contract\\.ts$',
        '\\.generated\\.js$',
        '^test/fixtures/',
        '^plugins/console/web/prepare\\.js$'
      ]
    },
    to: {}
  }
]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^test/fixtures/broken/', '/dist/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // A workspace has what tests it from the root.
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json', '.d.ts']
    }
  }
}
