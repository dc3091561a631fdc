import { config } from 'zod'

/** Whether `eval` works is not tried: the policy of a host that forbids it would complain of each page that is shown. */
config({ jitless: true })
