import type { End } from '@sluice/core/words'

/** What a person who watches can do about an end; null where the sentence for it says it all. */
export const adviceOf = ({ reason }: Pick<End, 'reason'>): string | null =>
  reason === 'body_not_replayable'
    ? 'not sent again: the body could be sent only once; give it as a file (-d @FILE), or raise max_replay_bytes (--policy)'
    : null
