// In: links to model files in a page's text, as [[Media:x.pk3]] or [[File:x.pk3]] make them. Out: `<rig-view>` in their place, the link
// kept below it. Parameters stand in the link's own words after a bar: `[[Media:imp.zip|An imp; clip=idle; width=400]]`.
// Plain and unpacked on purpose: wikis review it before they run it.
(function () {
  'use strict';
  // The address of your copy of the package.
  var PACKAGE = (window.rigviewPackage || '/rigview/') + 'rigview.js';
  var MODEL = /\.(md5mesh|md3|smd|qc|pk3|pk4|pak|zip)$/i;
  var ATTRIBUTES = ['clip', 'legs', 'torso', 'frame', 'variant', 'camera-orbit', 'camera-target', 'fov', 'autoplay', 'loop', 'speed', 'auto-rotate', 'reveal', 'grid', 'background', 'inside'];

  function upgrade(root) {
    var links = Array.prototype.filter.call(root.querySelectorAll('a.internal[href], a.mw-file-description[href]'), function (link) {
      return MODEL.test(new URL(link.href).pathname) && !link.dataset.rigview;
    });
    if (links.length === 0) return;
    import(PACKAGE).then(function () {
      links.forEach(show);
    });
  }

  function show(link) {
    link.dataset.rigview = 'yes';
    var words = link.textContent.split(';');
    var view = document.createElement('rig-view');
    var parameters = {};
    words.slice(1).forEach(function (word) {
      var at = word.indexOf('=');
      parameters[(at < 0 ? word : word.slice(0, at)).trim().toLowerCase()] = at < 0 ? '' : word.slice(at + 1).trim();
    });
    ATTRIBUTES.forEach(function (name) {
      if (name in parameters && name !== 'inside') view.setAttribute(name, parameters[name]);
    });
    view.setAttribute('alt', words[0].trim());
    view.setAttribute('controls', '');
    view.setAttribute('src', link.href.replace(/ /g, '%20') + (parameters.inside ? '#' + encodeURIComponent(parameters.inside) : ''));
    ['width', 'height'].forEach(function (side) {
      if (/^\d+$/.test(parameters[side] || '')) view.style[side] = parameters[side] + 'px';
    });
    link.textContent = words[0].trim();
    link.before(view);
  }

  if (window.mw && mw.hook) {
    mw.hook('wikipage.content').add(function (content) {
      upgrade(content[0]);
    });
  } else {
    upgrade(document);
  }
})();
