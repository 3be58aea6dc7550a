import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../src/dashboard/markdown.ts';
import { type Content, html } from '../src/html.ts';

describe('a template', () => {
  it('escapes its values for text and attributes, once', () => {
    const hostile = `"'<>&</script>`;
    const escaped = '&quot;&#39;&lt;&gt;&amp;&lt;/script&gt;';
    expect(String(html`<a title="${hostile}">${hostile}</a>`)).toBe(`<a title="${escaped}">${escaped}</a>`);
    expect(String(html`${html`<b>${'<'}</b>`}`)).toBe('<b>&lt;</b>');
  });

  it('joins lists, shows numbers, and shows nothing for null, undefined and false', () => {
    expect(String(html`${[1, html`<i>`, ['&']]}${null}${undefined}${false}${0}`)).toBe('1<i>&amp;0');
  });

  it('accepts no value that its types do not allow', () => {
    // @ts-expect-error A promise: the template itself would become one.
    const promise: Content = Promise.resolve('text');
    // @ts-expect-error Parsed JSON, which Hono takes for HTML if it says so.
    const json: Content = { isEscaped: true, toString: () => '<script>' };
    expect([typeof promise, typeof json]).toEqual(['object', 'object']);
  });
});

describe('Markdown', () => {
  it('becomes headings, paragraphs, lists and strong words, and nothing else', () => {
    const text =
      '# Title\n\nOne\ntwo **three**.\n\n## Head\n\n- a\n  b\n- c\n\n1. d\n2. <script>alert(1)</script>';
    expect(String(renderMarkdown(text))).toBe(
      '<p>One two <strong>three</strong>.</p>\n<h2>Head</h2>\n<ul><li>a b</li><li>c</li></ul>\n<ol><li>d</li><li>&lt;script&gt;alert(1)&lt;/script&gt;</li></ol>\n',
    );
  });
});
