/** Tags of If-None-Match without what Apache adds to the tag of a response that it compresses: "x-gzip" is "x". */
export function plainTags(ifNoneMatch: string): string {
  return ifNoneMatch.replace(/-(?:gzip|br)"/g, '"');
}
