/** A number is written as text. */
type Text = string | number;

/**
 * Attributes of the elements that `/embed.js` defines. All are texts; lists are separated by commas. Each is also a property
 * of its name in camel case, such as `embedKey`.
 */
export interface RevgateAttributes {
  /** An embed key, which begins with `rvg_pub_`. */
  'embed-key'?: Text;
  /** The id of a document that is published for the key. */
  document?: Text;
  /** Variables of the document, as JSON. */
  variables?: Text;
  /** Of a list: fields to show, such as `revenue.mrr`. */
  columns?: Text;
  /** Of figures: which to show, such as `stats.mrr.median`. */
  figures?: Text;
  /** Of a chart: the field to draw. */
  value?: Text;
  /** Headings in place of the usual ones. */
  labels?: Text;
  /** The name of a table or chart for screen readers, and the title of a chart. */
  label?: Text;
  /** Of a list: rows to reserve space for while it loads. */
  rows?: Text;
  /** The text of the link that names the source. */
  source?: Text;
  /** The color of the line of a chart and of the focus. */
  accent?: Text;
  /** The largest width in pixels. */
  width?: Text;
  /** The colors of the page unless it is set. */
  theme?: 'light' | 'dark';
  /** The address of the API, if the script is loaded from somewhere else. */
  api?: Text;
}

/** The names of the elements. */
export type RevgateElementName = 'revgate-list' | 'revgate-figures' | 'revgate-chart';
