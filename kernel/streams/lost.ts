import { unavailable } from '../errors.ts'

/** 503 `stream_lost`: another process writes the stream now, or its events could not be written in time. */
export const lostFailure = () =>
  unavailable('The stream is no longer written by this process', { code: 'stream_lost' })
