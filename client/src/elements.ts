/** Attributes of the elements that `/embed.js` defines. All are texts; lists are separated by commas. */
export interface RevgateAttributes {
  /** An embed key, which begins with `rvg_pub_`. */
  'embed-key'?: string;
  /** The id of a document that is published for the key. */
  document?: string;
  /** Variables of the document, as JSON. */
  variables?: string;
  /** Of a list: fields to show, such as `revenue.mrr`. */
  columns?: string;
  /** Of figures: which to show, such as `stats.mrr.median`. */
  figures?: string;
  /** Of a chart: the field to draw. */
  value?: string;
  /** Headings in place of the usual ones. */
  labels?: string;
  /** The name of a table or chart for screen readers, and the title of a chart. */
  label?: string;
  /** Of a list: rows to reserve space for while it loads. */
  rows?: string;
  /** The text of the link that names the source. */
  source?: string;
  /** The color of the line of a chart and of the focus. */
  accent?: string;
  /** The largest width in pixels. */
  width?: string;
  /** The colors of the page unless it is set. */
  theme?: 'light' | 'dark';
  /** The address of the API, if the script is loaded from somewhere else. */
  api?: string;
}

/** The names of the elements. */
export type RevgateElementName = 'revgate-list' | 'revgate-figures' | 'revgate-chart';
