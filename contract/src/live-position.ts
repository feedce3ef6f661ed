/**
 * Header of the answers a console starts with: where the stream of changes has to begin so that nothing is missed that
 * happened after them. Given back as `lastEventId` when the stream is opened.
 */
export const livePositionHeader = 'x-live-position'
