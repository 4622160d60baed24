// SPDX-License-Identifier: Apache-2.0

// The model of a page of clashes: all bodies, transparent except for those of
// the selected clashes. The page calls
//
//   const model = orboxModel({glb, canvas, clashes, picked});
//   model.show(3);        // flies to the fourth clash
//   model.show(3, {at: [x, y, z], r: radius});    // or to one of its places
//   model.show(3, {element: 7, among: [3, 5, 9]});  // with others of a body
//   model.all();          // the whole scene
//
// glb: an ArrayBuffer, whose nodes are the bodies in their order. clashes: for
// each, its bodies a and b, the place `at`, the radius r of the view, and if
// known the ends of a gap, the direction to the viewer, and the poses of its
// bodies relative to the model, as twelve numbers. picked(body) is called on
// clicks.

import {
  AmbientLight, Box3, BufferGeometry, DirectionalLight, DoubleSide,
  EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, PerspectiveCamera, Raycaster, Scene,
  SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';

const FIRST = 0x56b4e9, SECOND = 0xf0b93a, AROUND = 0x8b97a3;
const MEETING = 0xd5360a, GAP = 0xc2185b, PICKED = 0x009e73;
const LENS = 40;

// An inclined view, as the pictures have it; up is z.
const USUAL = new Vector3(1.3, -2, 1.1).normalize();

function material(color, opacity) {
  const solid = opacity === 1;
  return new MeshStandardMaterial({
    color, opacity, transparent: !solid, depthWrite: solid, side: DoubleSide,
    flatShading: true, roughness: 0.8, metalness: 0,
    polygonOffset: solid, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
}

class Model {
  constructor(canvas, clashes, picked) {
    this.canvas = canvas;
    this.clashes = clashes;
    this.picked = picked;
    this.renderer = new WebGLRenderer(
        {canvas, antialias: true, alpha: true, preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(LENS, 1, 0.1, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(-0.48, 0.64, 0.6);
    this.camera.add(sun);
    const side = new DirectionalLight(0xffffff, 0.9);
    side.position.set(0.8, 0, 0.6);
    this.camera.add(side);
    this.scene.add(this.camera, new AmbientLight(0xffffff, 1.5));
    this.root = new Group();
    this.marks = new Group();
    this.root.add(this.marks);
    this.scene.add(this.root);
    this.looks = {
      plain: material(0xb4c0cc, 1),
      around: material(AROUND, 0.12),
      first: material(FIRST, 0.82),
      second: material(SECOND, 0.82),
      // For a body that is much larger than the other one, and may hide it.
      firstThrough: material(FIRST, 0.35),
      secondThrough: material(SECOND, 0.35),
      picked: material(PICKED, 1),
    };
    this.alone = false;
    this.shown = null;
    this.chosen = null;
    this.flight = 0;
    this.flying = false;
    this.aim = null;  // what the eye was sent to look at, until it is turned
    this.listen();
  }

  async load(glb) {
    const gltf = await new GLTFLoader().parseAsync(glb, '');
    this.bodies = [];
    gltf.scene.traverse((node) => {
      const place = gltf.parser.associations.get(node);
      if (!place || place.nodes === undefined) { return; }
      this.bodies[place.nodes] = node;
    });
    this.homes = this.bodies.map((node) => node.matrix.clone());
    this.sizes = this.bodies.map((node) =>
        new Box3().setFromObject(node).getSize(new Vector3()).length());
    this.bodies.forEach((node, i) => {
      node.matrixAutoUpdate = false;
      node.traverse((part) => {
        part.userData.body = i;
        part.matrixAutoUpdate = false;
      });
    });
    this.root.add(gltf.scene);
    gltf.scene.updateMatrixWorld(true);
    const box = new Box3().setFromObject(gltf.scene);
    this.center = box.getCenter(new Vector3());
    this.size = Math.max(box.getSize(new Vector3()).length(), 1e-30);
    // Numbers near 0 keep their digits on the way to the graphics card.
    this.root.position.copy(this.center).negate();
    this.scene.updateMatrixWorld(true);
    this.resize();
    this.all();
  }

  listen() {
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    let pressed = null;
    this.canvas.addEventListener('pointerdown', (event) => {
      pressed = [event.clientX, event.clientY];
      this.flight += 1;  // whoever turns the model stops the flight
      this.flying = false;
    });
    this.controls.addEventListener('start', () => { this.aim = null; });
    this.canvas.addEventListener('pointerup', (event) => {
      if (!pressed) { return; }
      const moved = Math.hypot(event.clientX - pressed[0],
                               event.clientY - pressed[1]);
      pressed = null;
      if (moved < 5) { this.pick(event); }
    });
  }

  resize() {
    const box = this.canvas.parentElement;
    const width = Math.max(box.clientWidth, 1);
    const height = Math.max(box.clientHeight, 1);
    this.renderer.setSize(width, height, false);
    const aspect = width / height;
    const changes = this.camera.aspect !== aspect;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    if (changes && this.aim) {
      this.still = true;
      this.fly(...this.aim);
    }
    this.draw();
  }

  draw() {
    if (!this.bodies || this.drawing) { return; }
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.renderer.render(this.scene, this.camera);
    });
  }

  hides(body, other) { return this.sizes[body] > 3 * this.sizes[other]; }

  // Each body in the material that what is shown gives it.
  paint() {
    const clash = this.shown;
    this.bodies.forEach((node, i) => {
      let look = clash ? this.looks.around : this.looks.plain;
      if (clash && clash.others.has(i)) { look = this.looks.second; }
      if (clash && i === clash.a) {
        look = this.hides(i, clash.b) ? this.looks.firstThrough : this.looks.first;
      }
      if (clash && i === clash.b) {
        look = this.hides(i, clash.a) ? this.looks.secondThrough : this.looks.second;
      }
      if (i === this.chosen) { look = this.looks.picked; }
      node.visible = !this.alone || look !== this.looks.around;
      node.traverse((part) => {
        if (part.isMesh) { part.material = look; }
      });
    });
    this.draw();
  }

  // Puts the two bodies where they stand at the clash.
  stand(clash) {
    this.bodies.forEach((node, i) => {
      const moves = clash && (i === clash.a ? clash.ma : i === clash.b ? clash.mb : null);
      node.matrix.copy(this.homes[i]);
      if (moves) {
        node.matrix.premultiply(new Matrix4().set(...moves, 0, 0, 0, 1));
      }
      node.updateMatrixWorld(true);
    });
  }

  mark(clash) {
    for (const old of this.marks.children.slice()) {
      this.marks.remove(old);
      old.geometry.dispose();
      old.material.dispose();
    }
    if (!clash) { return; }
    const options = {transparent: true, depthTest: false, opacity: 0.9};
    const add = (object, at) => {
      object.renderOrder = 2;
      object.position.set(...at);
      this.marks.add(object);
    };
    const color = clash.gap ? GAP : MEETING;
    const ball = new SphereGeometry(clash.r * 0.02, 24, 16);
    for (const at of clash.marks ?? clash.gap ?? [clash.at]) {
      add(new Mesh(ball, new MeshBasicMaterial({color, ...options})), at);
    }
    if (clash.gap) {
      const [from, to] = clash.gap.map((p) => new Vector3(...p));
      const line = new BufferGeometry().setFromPoints(
          [new Vector3(), to.clone().sub(from)]);
      add(new LineSegments(line, new LineBasicMaterial({color, ...options})),
          clash.gap[0]);
    }
    for (const [body, tint] of [[clash.a, 0x14507a], [clash.b, 0x6b4c00]]) {
      this.bodies[body].traverse((part) => {
        if (!part.isMesh) { return; }
        const edges = new LineSegments(
            new EdgesGeometry(part.geometry, 30),
            new LineBasicMaterial({color: tint, transparent: true, opacity: 0.7}));
        edges.matrixAutoUpdate = false;
        edges.matrix.copy(part.matrixWorld);
        edges.matrix.premultiply(new Matrix4().makeTranslation(this.center));
        this.marks.add(edges);
        edges.updateMatrixWorld(true);
      });
    }
  }

  // Moves the eye to look at a place, half of whose surroundings are `radius`.
  fly(at, radius, back) {
    this.aim = [at, radius, back];
    const target = new Vector3(...at).sub(this.center);
    const narrow = Math.min(1, this.camera.aspect);
    const away = radius / Math.tan(LENS * Math.PI / 360) / narrow * 1.1;
    const eye = target.clone().addScaledVector(back, away);
    const from = {eye: this.camera.position.clone(),
                  target: this.controls.target.clone()};
    const flight = ++this.flight;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const began = performance.now();
    const step = (now) => {
      if (flight !== this.flight) { return; }
      const share = calm || this.still
          ? 1 : Math.min(Math.max(now - began, 0) / 600, 1);
      const eased = share * share * (3 - 2 * share);
      this.controls.target.lerpVectors(from.target, target, eased);
      this.camera.position.lerpVectors(from.eye, eye, eased);
      const distance = this.camera.position.distanceTo(this.controls.target);
      this.camera.near = Math.max(distance / 100, this.size * 1e-7);
      this.camera.far = distance + 2 * this.size;
      this.camera.updateProjectionMatrix();
      this.controls.update();
      this.draw();
      this.flying = share !== 1;
      if (this.flying) { requestAnimationFrame(step); }
    };
    this.flying = true;
    step(began);
    this.still = false;
  }

  // Shows a clash: at one of its places if there is `at`, with the radius r; or
  // with the clashes `among`, whose places are marked too. `element` has the
  // first colour.
  show(number, {at, r, element, among = []} = {}) {
    const whole = this.clashes[number];
    if (!whole) { return; }
    const clash = {...whole, others: new Set()};
    if (clash.b === element) {
      [clash.a, clash.b] = [whole.b, whole.a];
      [clash.ma, clash.mb] = [whole.mb, whole.ma];
    }
    if (at) { Object.assign(clash, {at, r: Math.max(r, 0.02 * whole.r), gap: null}); }
    if (among.length > 1) { this.widen(clash, among.map((i) => this.clashes[i])); }
    this.shown = clash;
    this.chosen = null;
    this.stand(clash);
    this.mark(clash);
    this.paint();
    const back = clash.back ? new Vector3(...clash.back) : USUAL;
    this.fly(clash.at, clash.r, back);
  }

  // Lets a view hold the places of several clashes.
  widen(clash, among) {
    const MOST = 500;  // marks and bodies in colour
    const box = new Box3();
    for (const one of among) {
      const reach = new Vector3(one.r, one.r, one.r);
      const place = new Vector3(...one.at).sub(this.center);
      box.union(new Box3(place.clone().sub(reach), place.clone().add(reach)));
    }
    for (const one of among.slice(0, MOST)) {
      clash.others.add(one.a).add(one.b);
    }
    clash.marks = among.slice(0, MOST).map((one) => one.at);
    clash.gap = null;
    clash.at = box.getCenter(new Vector3()).add(this.center).toArray();
    clash.r = Math.max(clash.r, box.getSize(new Vector3()).length() / 2);
  }

  all() {
    this.shown = null;
    this.chosen = null;
    this.stand(null);
    this.mark(null);
    this.paint();
    this.still = this.flight === 0;
    this.fly(this.center.toArray(), this.size / 2, USUAL);
  }

  // Hides bodies without a colour, or shows them.
  only(alone) {
    this.alone = alone;
    this.paint();
  }

  choose(body) {
    this.chosen = body;
    this.paint();
  }

  // The body under a point of the canvas; a solid one before those around.
  bodyAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2((clientX - box.left) / box.width * 2 - 1,
                           1 - (clientY - box.top) / box.height * 2);
    this.scene.updateMatrixWorld();  // the next frame may not be drawn yet
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const hits = ray.intersectObjects(this.bodies.filter((b) => b.visible), true)
        .filter((hit) => hit.object.isMesh);
    const solid = hits.find(
        (hit) => hit.object.material !== this.looks.around);
    const hit = solid ?? hits[0];
    return hit ? hit.object.userData.body : null;
  }

  pick(event) {
    const body = this.bodyAt(event.clientX, event.clientY);
    this.choose(body);
    this.picked(body);
  }
}

window.orboxModel = async ({glb, canvas, clashes, picked}) => {
  const model = new Model(canvas, clashes, picked);
  await model.load(glb);
  return model;
};
