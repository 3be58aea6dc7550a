import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../src/dashboard/markdown.ts';
import { html } from '../src/html.ts';

describe('a template', () => {
  it('escapes what is put in it, once', () => {
    const hostile = `"'<>&</script>`;
    expect(html`<a title="${hostile}">${hostile}</a>`.text).toBe(
      '<a title="&#34;&#39;&#60;&#62;&#38;&#60;/script&#62;">&#34;&#39;&#60;&#62;&#38;&#60;/script&#62;</a>',
    );
    expect(html`${html`<b>${'<'}</b>`}`.text).toBe('<b>&#60;</b>');
  });

  it('joins lists, shows numbers, and leaves nothing out as nothing', () => {
    expect(html`${[1, html`<i>`, ['&']]}${null}${undefined}${false}${0}`.text).toBe('1<i>&#38;0');
  });

  it('takes nothing for HTML but what a template made', () => {
    const looksLike = { text: '<script>' } as unknown as string;
    expect(html`${[looksLike].map(String)}`.text).toBe('[object Object]');
  });
});

describe('Markdown', () => {
  it('becomes headings, paragraphs, lists and strong words, and nothing else', () => {
    expect(
      renderMarkdown('# Title\n\nOne\ntwo **three**.\n\n## Head\n\n- a\n  b\n- c\n\n1. d\n2. <script>').text,
    ).toBe(
      '<p>One two <strong>three</strong>.</p>\n<h2>Head</h2>\n<ul><li>a b</li><li>c</li></ul>\n<ol><li>d</li><li>&#60;script&#62;</li></ol>\n',
    );
  });
});
