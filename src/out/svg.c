// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The paths as a flame graph in one file: it opens in any browser, a title on every frame says how
 * much it is, a click zooms, "Search" marks frames by name. Weights and offsets are in the data
 * attributes, exact; what is drawn follows from them.
 */
#include "out/svg.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "out/formats.h"
#include "view/flame.h"

#define WIDTH 1200
#define LINE 17		/* height of a frame */
#define TOP 44		/* above the frames */
#define BOTTOM 12
#define CHAR 7.2	/* width of a character of the font */
#define LEAST 0.1	/* narrower frames cannot be seen; their weight stays in their parents */

static const char style[] =
	"text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#111;pointer-events:none}"
	"#title{font-size:16px}.button{pointer-events:auto;cursor:pointer;fill:#05c}"
	"g.f{cursor:pointer}g.f:hover rect{stroke:#000;stroke-width:.7}"
	"g.up{opacity:.45}g.off{display:none}g.hit rect{fill:#d3f}";

/* o: offset, w: weight, of the frame; O, W: of what the whole width shows. */
static const char script[] =
	"'use strict';\n"
	"const "
	"frames=[...document.querySelectorAll('g.f')].map(g=>({g,o:+g.dataset.o,w:+g.dataset.w,"
	"d:+g.dataset.d,"
	"n:g.dataset.n,r:g.querySelector('rect'),t:g.querySelector('text')}));\n"
	"const width=1200,char=7.2,all=frames[0];\n"
	"const say=t=>{document.getElementById('say').textContent=t};\n"
	"function label(f,w){const n=Math.floor((w-6)/char);"
	"f.t.textContent=n<2?'':f.n.length<=n?f.n:f.n.slice(0,n-1)+'\\u2026'}\n"
	"function zoom(z){for(const f of frames){"
	"const up=f.d<z.d&&f.o<=z.o&&f.o+f.w>=z.o+z.w,off=!up&&(f.d<z.d||f.o<z.o||f.o+f.w>z.o+z.w);"
	"f.g.classList.toggle('up',up);f.g.classList.toggle('off',off);if(off)continue;"
	"const x=up?0:(f.o-z.o)/z.w*width,w=up?width:f.w/z.w*width;"
	"f.r.setAttribute('x',x);f.r.setAttribute('width',w);f.t.setAttribute('x',x+3);label(f,w)}"
	"document.getElementById('reset').style.display=z===all?'none':''}\n"
	"function search(){const q=prompt('Search');if(q===null)return;mark(q)}\n"
	"function mark(q){let sum=0,end=-1;const s=q.toLowerCase();"
	"for(const f of frames){const "
	"hit=s!==''&&f.d>0&&f.n.toLowerCase().includes(s);f.g.classList.toggle('hit',hit)}"
	"for(const f of "
	"frames.filter(f=>f.g.classList.contains('hit')).sort((a,b)=>a.o-b.o||a.d-b.d))"
	"if(f.o>=end){sum+=f.w;end=f.o+f.w}"
	"say(s===''?'':q+': '+(100*sum/all.w).toFixed(1)+' %')}\n"
	"for(const f of frames)f.g.addEventListener('click',()=>zoom(f));\n"
	"document.getElementById('reset').addEventListener('click',()=>zoom(all));\n"
	"document.getElementById('search').addEventListener('click',search);\n"
	"zoom(all);\n";

void svg_text(struct buf *b, const char *s)
{
	while (*s) {
		uint32_t point;
		int n = utf8_next(s, &point);

		if (point == '&')
			buf_puts(b, "&amp;");
		else if (point == '<')
			buf_puts(b, "&lt;");
		else if (point == '>')
			buf_puts(b, "&gt;");
		else if (point == '"')
			buf_puts(b, "&quot;");
		else if (point < 0x20 || (point & 0xfffe) == 0xfffe || (point == 0xfffd && n == 1))
			buf_puts(b, "\xef\xbf\xbd");
		else
			buf_putn(b, s, (size_t)n);
		s += n;
	}
}

/* A colour of its class, a little different for each name. */
static void put_color(struct buf *b, const struct flame_node *n)
{
	static const struct {
		unsigned hue, saturation;
	} colors[] = {
		[FLAME_OTHER] = { 40, 8 },   [FLAME_USER] = { 95, 50 },
		[FLAME_LIBRARY] = { 140, 30 }, [FLAME_SCRIPT] = { 165, 50 },
		[FLAME_KERNEL] = { 18, 85 }, [FLAME_FS] = { 45, 85 },
		[FLAME_BLOCK] = { 205, 65 },
	};
	enum flame_class class = flame_class(n);
	unsigned vary = 0;

	for (const char *c = n->text; *c; c++)
		vary = vary * 31 + (unsigned char)*c;
	buf_printf(b, "hsl(%u,%u%%,%u%%)", colors[class].hue + vary % 14, colors[class].saturation,
		   62 + vary / 14 % 14);
}

struct svg {
	struct buf *b;
	const struct out *o;
	const struct flame *f;
	double scale;		/* columns of weight */
};

static void put_weight(const struct svg *s, uint64_t weight)
{
	static const enum unit units[] = {
		[WEIGHT_BYTES] = UNIT_BYTES, [WEIGHT_IOS] = UNIT_COUNT, [WEIGHT_LATENCY] = UNIT_NS
	};
	char text[32];

	unit_format(text, sizeof(text), units[s->o->opt.weight],
		    (double)weight * (s->o->opt.weight == WEIGHT_LATENCY ? 1000 : 1),
		    &s->o->opt.units);
	svg_text(s->b, text);
}

static void put_number(struct buf *b, double v)
{
	char text[32];

	/* Hundredths of a pixel are enough, and in any locale a point. */
	double_format(text, sizeof(text), (double)(uint64_t)(v * 100 + 0.5) / 100);
	buf_puts(b, text);
}

static void put_node(const struct svg *s, const struct flame_node *n, uint64_t offset)
{
	double x = (double)offset * s->scale, width = (double)n->weight * s->scale;
	unsigned y = TOP + (s->f->depth - n->depth) * LINE;
	struct buf *b = s->b;

	buf_printf(b,
		   "<g class=\"f\" data-o=\"%" PRIu64 "\" data-w=\"%" PRIu64
		   "\" data-d=\"%u\" data-n=\"",
		   offset, n->weight, n->depth);
	svg_text(b, n->text);
	buf_puts(b, "\"><title>");
	svg_text(b, n->text);
	buf_puts(b, "  ");
	put_weight(s, n->weight);
	buf_printf(b, "  %llu.%llu %%",
		   (unsigned long long)(n->weight * 100.0 / s->f->root->weight),
		   (unsigned long long)(n->weight * 1000.0 / s->f->root->weight) % 10);
	buf_puts(b, "</title><rect x=\"");
	put_number(b, x);
	buf_printf(b, "\" y=\"%u\" width=\"", y);
	put_number(b, width);
	buf_printf(b, "\" height=\"%u\" rx=\"2\" fill=\"", LINE - 1);
	put_color(b, n);
	buf_puts(b, "\"/><text x=\"");
	put_number(b, x + 3);
	buf_printf(b, "\" y=\"%u\">", y + LINE - 5);
	/* Without scripts the names that fit are there all the same. */
	if (utf8_width(n->text) * CHAR + 6 <= width)
		svg_text(b, n->text);
	buf_puts(b, "</text></g>\n");
}

/* n and all below, each child behind the one before. */
static void put_tree(const struct svg *s, const struct flame_node *n, uint64_t offset)
{
	if ((double)n->weight * s->scale < LEAST)
		return;
	put_node(s, n, offset);
	for (const struct flame_node *child = n->child; child; child = child->next) {
		put_tree(s, child, offset);
		offset += child->weight;
	}
}

void out_svg(struct out *o, const struct view *v)
{
	struct buf *b = &o->buf;
	struct flame f;
	struct svg s = { .b = b, .o = o, .f = &f };
	char time[40];
	unsigned height;

	flame_init(&f);
	flame_build(&f, v, out_steps(o, v), o->opt.weight);
	height = TOP + (f.depth + 1) * LINE + BOTTOM;
	clock_iso(time, sizeof(time), v->model->real_ns);
	buf_printf(b,
		   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" "
		   "height=\"%u\" style=\"background:#fff\">\n"
		   "<style>%s</style>\n<text id=\"title\" x=\"12\" y=\"22\">",
		   WIDTH, height, WIDTH, height, style);
	svg_text(b, v->model->host ? v->model->host : "");
	buf_printf(b, "  %s  ", time);
	put_weight(&s, f.root->weight);
	buf_printf(b,
		   "</text>\n<text id=\"reset\" class=\"button\" x=\"12\" y=\"38\" "
		   "style=\"display:none\">%s</text>"
		   "<text id=\"search\" class=\"button\" x=\"1140\" y=\"22\">%s</text><text "
		   "id=\"say\" x=\"900\" y=\"38\"/>\n",
		   _("Show all"), _("Search"));
	if (f.root->weight) {
		s.scale = (double)WIDTH / (double)f.root->weight;
		put_tree(&s, f.root, 0);
		buf_printf(b, "<script><![CDATA[\n%s]]></script>\n", script);
	}
	buf_puts(b, "</svg>\n");
	flame_release(&f);
}
